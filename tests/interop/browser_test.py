"""A real browser draws the curves of report.html, without network and without an error."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CHARTS = 5


def open_page(browser, page, *options):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--enable-logging=stderr", "--window-size=1200,2200",
             "--virtual-time-budget=3000", *options, page.as_uri()],
            capture_output=True, text=True, timeout=120)


def main():
    browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser",
                                                   "google-chrome"])), None)
    if browser is None:
        print("skipped: there is no Chromium")
        sys.exit(77)
    page = pathlib.Path(sys.argv[1]).resolve() / "report.html"
    # Each canvas is replaced by the number of colours in it: a blank one has one.
    probe = """<script>document.querySelectorAll('canvas').forEach((canvas) => {
      const pixels = new Uint32Array(canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      canvas.dataset.colors = new Set(pixels).size;
    });</script>"""
    source = page.read_text(encoding="utf-8")
    probed = page.with_name("probed.html")
    probed.write_text(source.replace("</body>", probe + "</body>"), encoding="utf-8")
    result = open_page(browser, probed, "--dump-dom")
    dom = result.stdout
    errors = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    if errors:
        sys.exit("the console has messages:\n" + "\n".join(errors))
    if f'data-charts="{CHARTS}"' not in dom or 'data-error=' in dom:
        sys.exit(f"expected {CHARTS} charts drawn, got {dom[:300]}")
    colors = [int(n) for n in re.findall(r'data-colors="(\d+)"', dom)]
    if len(colors) != CHARTS or min(colors) < 3:
        sys.exit(f"expected {CHARTS} canvases with a picture, got colours {colors}")
    if "<script>alert" in dom.split('<script type="application/json"')[0]:
        sys.exit("text of the recipe became markup")
    print("drawn:", CHARTS, "charts with", colors, "colours")


main()
