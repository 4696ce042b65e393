# Warnings, sanitizers, compiler cache and linker.
add_library(stoker_flags INTERFACE)
# GCC 12 warns of std::string by mistake (GCC bugs 105329 and 105651): no -Wrestrict.
target_compile_options(stoker_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-restrict)
# Another compiler warns of other things, which must not stop a build elsewhere.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  target_compile_options(stoker_flags INTERFACE -Werror)
endif()
if(STOKER_SANITIZE)
  add_compile_options(-fsanitize=${STOKER_SANITIZE} -fno-omit-frame-pointer -g1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # GCC sees its own instrumentation.
  endif()
  add_link_options(-fsanitize=${STOKER_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
