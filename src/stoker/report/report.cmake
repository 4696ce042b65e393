# What stoker_report holds beside its sources: event.proto as C++, and the assets of the page.
set(generated "${PROJECT_BINARY_DIR}/generated")
set(event_pb "${generated}/stoker/report/event.pb.cc")
file(MAKE_DIRECTORY "${generated}")
add_custom_command(
  OUTPUT "${event_pb}" "${generated}/stoker/report/event.pb.h"
  COMMAND protobuf::protoc -I "${PROJECT_SOURCE_DIR}/src" --cpp_out "${generated}"
          stoker/report/event.proto
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/event.proto" VERBATIM)
set_source_files_properties("${event_pb}" PROPERTIES COMPILE_OPTIONS -w)
target_sources(stoker_report PRIVATE "${event_pb}")
target_include_directories(stoker_report SYSTEM PRIVATE "${generated}")

file(GLOB assets CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/assets/*")
set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/detail/assets.cc" PROPERTIES
  OBJECT_DEPENDS "${assets}"
  COMPILE_DEFINITIONS "STOKER_REPORT_ASSETS=\"${CMAKE_CURRENT_LIST_DIR}/assets\"")
