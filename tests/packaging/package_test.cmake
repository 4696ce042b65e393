# expect(TEXT COMMAND...): the command succeeds and its output holds the text.
function(expect text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${text}" place)
  if(NOT status EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "${ARGN}\nexpected status 0 and '${text}', got status ${status} and:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
expect("stokerConfig.cmake" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
file(GLOB_RECURSE private "${WORK}/prefix/include/*/detail/*" "${WORK}/prefix/include/*_test.*"
  "${WORK}/prefix/include/*/testing.h")
if(private)
  message(FATAL_ERROR "expected only public headers, got ${private}")
endif()
expect("" "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}/examples/consumer" -B "${WORK}/build"
  "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DCMAKE_BUILD_TYPE=Release)
expect("" "${CMAKE_COMMAND}" --build "${WORK}/build")
expect("fast_net: 100 = micro-batch 100 x accumulation 1 x ranks 1"
  "${WORK}/build/consumer" "${SOURCE}/recipes/quickstart.toml")
expect("resnet18" "${WORK}/prefix/bin/stoker" list models)
expect("LibTorch is not in /nowhere" sh -c
  "! '${CMAKE_COMMAND}' -G Ninja -S '${SOURCE}/examples/consumer' -B '${WORK}/without' \
   '-DCMAKE_PREFIX_PATH=${WORK}/prefix' -DSTOKER_DEPS=/nowhere")
