"""Packs the programs that goreleaser has built as Python wheels, a wheel being a zip of files
and a list of them. The same programs give the same bytes.

    python3 wheels.py DIST
"""
import base64, glob, hashlib, os, re, sys, time, zipfile

VERSION, EPOCH = os.environ["VERSION"], max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)
TAGS = {"linux_amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64", "linux_arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
        "darwin_amd64": "macosx_12_0_x86_64", "darwin_arm64": "macosx_12_0_arm64", "windows_amd64": "win_amd64", "windows_arm64": "win_arm64"}
METADATA = f"""Metadata-Version: 2.1
Name: bourse
Version: {VERSION}
Summary: Replays workload logs through schedulers and markets, one record per job
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: arrow
Requires-Dist: pyarrow; extra == "arrow"
Provides-Extra: gym
Requires-Dist: numpy; extra == "gym"
Requires-Dist: gymnasium; extra == "gym"
Description-Content-Type: text/markdown

"""
here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..")


def read(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


for platform, tag in TAGS.items():
    program, = glob.glob(os.path.join(sys.argv[1], f"*_{platform}*", "bourse*"))
    info = f"bourse-{VERSION}.dist-info/"
    files = {"bourse/__init__.py": read(here, "bourse", "__init__.py"), "bourse/py.typed": b"",
             "bourse/client.py": read(root, "scripts", "clients", "bourse_client.py"), "bourse/gym.py": read(root, "scripts", "clients", "bourse_gym.py"),
             "bourse/" + os.path.basename(program): read(program),
             info + "METADATA": (METADATA.encode() + read(root, "README.md")),
             info + "WHEEL": f"Wheel-Version: 1.0\nGenerator: bourse\nRoot-Is-Purelib: false\n{''.join(f'Tag: py3-none-{t}{chr(10)}' for t in tag.split('.'))}".encode(),
             info + "entry_points.txt": b"[console_scripts]\nbourse = bourse:_main\n", info + "LICENSE": read(root, "LICENSE"),
             info + "licences.txt": read(root, "cmd", "cli", "licences.txt"), info + "licences-pages.txt": read(root, "reports", "page", "assets", "LICENSES.txt")}
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b'=').decode()},{len(text)}\n" for name, text in files.items())
    files[info + "RECORD"] = f"{record}{info}RECORD,,\n".encode()
    with zipfile.ZipFile(os.path.join(sys.argv[1], f"bourse-{VERSION}-py3-none-{tag}.whl"), "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if re.search(r"/bourse(\.exe)?$", name) else 0o100644) << 16
            wheel.writestr(entry, text)
