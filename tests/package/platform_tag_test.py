"""Tests the platform tag of a wheel for given versions of symbols."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake/package"))
import bundle  # noqa: E402


class PlatformTag(unittest.TestCase):
    def tag(self, **versions):
        return bundle.platform_tag(versions, "x86_64")

    def test_the_c_library_decides(self):
        # Debian 12 has glibc 2.36 and the libstdc++ of GCC 12.
        self.assertEqual(self.tag(GLIBC=(2, 36), GLIBCXX=(3, 4, 30), CXXABI=(1, 3, 13)), "manylinux_2_36_x86_64")
        # In glibc 2.34, the symbols of libpthread moved to libc.
        self.assertEqual(self.tag(GLIBC=(2, 34), GLIBCXX=(3, 4, 29)), "manylinux_2_34_x86_64")

    def test_libstdcxx_decides(self):
        # GCC 13 added GLIBCXX_3.4.32. The first manylinux tag with this version is 2.39 (Ubuntu 24.04).
        self.assertEqual(self.tag(GLIBC=(2, 34), GLIBCXX=(3, 4, 32)), "manylinux_2_39_x86_64")
        self.assertEqual(self.tag(GLIBC=(2, 17), GCC=(12, 0, 0)), "manylinux_2_35_x86_64")

    def test_versions_are_numbers(self):
        self.assertEqual(self.tag(GLIBC=(2, 4), GLIBCXX=(3, 4, 9)), "manylinux_2_34_x86_64")

    def test_an_unknown_libstdcxx_promises_nothing(self):
        self.assertEqual(self.tag(GLIBC=(2, 41), GLIBCXX=(3, 4, 99)), "linux_x86_64")

    def test_promised_libraries(self):
        for name in ("libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libm.so.6"):
            self.assertTrue(bundle.PROMISED.match(name), name)
        for name in ("libz3.so.4", "libcrypto.so.3", "libcap.so.2", "libmd.so.0", "libc++.so.1", "libz.so.1"):
            self.assertFalse(bundle.PROMISED.match(name), name)


if __name__ == "__main__":
    unittest.main()
