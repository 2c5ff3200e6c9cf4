// A page has no files, so every system call that names a file fails with the error ENOENT.
mergeInto(LibraryManager.library, {
  __syscall_open: function() { return -44; },
  __syscall_stat64: function() { return -44; },
  __syscall_lstat64: function() { return -44; },
});
