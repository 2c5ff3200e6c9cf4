// A page has no files: system calls that name a file fail with the error ENOENT.
mergeInto(LibraryManager.library, {
  __syscall_open: function() { return -44; },
  __syscall_stat64: function() { return -44; },
  __syscall_lstat64: function() { return -44; },
});
