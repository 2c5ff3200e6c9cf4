# Rewrites a CUDA source for the host's compiler: launches become calls of host_cuda.h. -DIN=... -DOUT=...
file(READ "${IN}" text)
string(REGEX REPLACE "([A-Za-z_]+(<[A-Za-z0-9_]+>)?)<<<([^;>]*)>>>" "host_cuda::launch(\\1, \\3)" text "${text}")
get_filename_component(folder "${IN}" DIRECTORY)
string(REGEX REPLACE "#include \"([^\"]+)\"" "#include \"${folder}/\\1\"" text "${text}")
file(WRITE "${OUT}" "#include \"host_cuda.h\"\n#line 1 \"${IN}\"\n${text}")
