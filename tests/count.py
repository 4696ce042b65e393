"""Prints one plain line: how many tests passed, failed and were skipped, from ctest's report."""
import sys
import xml.etree.ElementTree as ElementTree

cases = ElementTree.parse(sys.argv[1]).getroot().iter("testcase")
states = [case.get("status") for case in cases]
failed = sum(state == "fail" for state in states)
skipped = sum(state in ("notrun", "disabled") for state in states)
print(f"{len(states) - failed - skipped} passed, {failed} failed, {skipped} skipped")
