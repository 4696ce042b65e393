# Imported targets for LibTorch and Arrow as the unpacked wheels in STOKER_DEPS hold them.
# Used by the build and by the installed package.
set(STOKER_TORCH_LIB "${STOKER_DEPS}/torch/lib")
set(STOKER_CUDART_LIB "${STOKER_DEPS}/nvidia/cu13/lib")

if(TARGET stoker_torch)
  return()
endif()
add_library(stoker_torch INTERFACE IMPORTED GLOBAL)
target_include_directories(stoker_torch SYSTEM INTERFACE
  "${STOKER_DEPS}/torch/include" "${STOKER_DEPS}/torch/include/torch/csrc/api/include")
target_compile_definitions(stoker_torch INTERFACE USE_C10D_GLOO)
target_link_options(stoker_torch INTERFACE
  "-Wl,--no-as-needed" "-Wl,-rpath,${STOKER_TORCH_LIB}" "-Wl,-rpath,${STOKER_CUDART_LIB}"
  "-Wl,--allow-shlib-undefined")
target_link_libraries(stoker_torch INTERFACE
  "${STOKER_TORCH_LIB}/libtorch_cpu.so" "${STOKER_TORCH_LIB}/libc10.so")

if(STOKER_CUDA)
  find_package(CUDAToolkit REQUIRED)
  target_include_directories(stoker_torch SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_options(stoker_torch INTERFACE "-Wl,--unresolved-symbols=ignore-in-shared-libs")
  target_link_libraries(stoker_torch INTERFACE
    "${STOKER_TORCH_LIB}/libtorch_cuda.so" "${STOKER_TORCH_LIB}/libc10_cuda.so" CUDA::cudart)
endif()
