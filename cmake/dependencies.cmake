# Libraries from the distribution, and imported targets for the wheels that ./stoker unpacked.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(Protobuf REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)

if(NOT EXISTS "${STOKER_DEPS}/torch/lib/libtorch_cpu.so")
  message(FATAL_ERROR "LibTorch is not in ${STOKER_DEPS}: run ./stoker --setup, or set STOKER_DEPS")
endif()

include(stoker-wheels)
