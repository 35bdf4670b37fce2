"""The command that fetches and lays out data: what it asks, writes, locks and refuses."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from preparing.web import CONTENT, Web, zipped
from reference.scenarios import own_scenarios

from chef.cli import main
from chef.errors import ConfigError, DataError
from chef.preparing import command, convert, sources
from chef.scenario import SCENARIOS, download
from chef.scenario.lamm import CIFAR10
from chef.scenario.mmmu import MMMU
from chef.scenario.vlmevalkit.table import Benchmark, BenchmarkTable, table


def a_set(web: Web, tmp_path: Path, **keys: Any) -> Path:
    """A table with one scenario, of a list and an archive of pictures."""
    web.files["/datasets/o/n/resolve/main/list.json"] = b"[1]"
    archive = zipped({"pictures/x.png": b"1"}, tmp_path / "made.zip")
    web.files["/pictures.zip"] = archive.read_bytes()
    files = [
        {"hub": "o/n:list.json", "to": "set/list.json", "size": "3 B"},
        {"url": f"{web.address}/pictures.zip", "to": "set/pictures", "unpack": True},
    ]
    source = {"licence": "none", "files": files, "needs": ["set/list.json", "set/pictures"], **keys}
    path = tmp_path / "sources.yaml"
    path.write_text(json.dumps({"scenarios": {"Set": source}}))
    return path


@pytest.fixture
def prepare(tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch):
    def prepare(table: Path, *arguments: str) -> int:
        monkeypatch.setattr(command, "read_sources", lambda: sources.read_sources(table))
        return main(["prepare", "Set", "--root", str(tmp_path / "data"), *arguments])

    monkeypatch.setenv("HF_ENDPOINT", web.address)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    return prepare


def test_a_data_set_is_laid_out_and_locked(prepare, web: Web, tmp_path: Path, capsys) -> None:
    table, root = a_set(web, tmp_path), tmp_path / "data"
    assert prepare(table, "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "terms: none" in shown
    assert "about 3 B, no digest known yet" in shown
    assert not root.exists()
    assert not web.asked
    assert prepare(table, "--yes") == 0
    assert (root / "set" / "list.json").read_bytes() == b"[1]"
    assert (root / "set" / "pictures" / "x.png").read_bytes() == b"1"
    assert not list((root / "downloads").iterdir())
    lock = json.loads((root / "sources.lock.json").read_text())
    assert lock["set/list.json"]["sha256"] == hashlib.sha256(b"[1]").hexdigest()
    assert lock["set/list.json"]["bytes"] == 3
    asked = len(web.asked)
    assert prepare(table, "--yes", "--verify") == 0  # everything is there
    assert len(web.asked) == asked


def test_a_committed_lock_holds_another_data_root_to_the_same_files(
    prepare, web: Web, tmp_path: Path, capsys
) -> None:
    table, lock = a_set(web, tmp_path), tmp_path / "repository" / "data.lock.json"
    assert prepare(table, "--yes", "--lock", str(lock)) == 0
    said = capsys.readouterr().out
    assert f"The digests of 2 new files are in {lock}. Commit that file" in said
    web.files["/datasets/o/n/resolve/main/list.json"] = b"[2]"
    shutil.rmtree(tmp_path / "data")
    assert prepare(table, "--yes", "--lock", str(lock)) == 2
    assert "differs from the first download" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"[1]", b"{", b'{"a": 1}', b"\xff", b"null"])
def test_a_damaged_lock_file_is_bad_data(content: bytes, tmp_path: Path) -> None:
    (tmp_path / command.LOCK).write_bytes(content)
    with pytest.raises(DataError, match="unreadable"):
        command.Lock(tmp_path / command.LOCK)


@pytest.mark.parametrize("stated", ["x", "-1", "", "1" * 30, "3, 3", "\u0663"])
def test_a_length_that_is_no_number_is_no_length(stated: str) -> None:
    assert download._length(stated) is None
    assert download._length(" 12 ") == 12


def test_an_encrypted_archive_is_bad_data(tmp_path: Path) -> None:
    content = bytearray(zipped({"a.txt": CONTENT}, tmp_path / "a.zip").read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1  # the bit that says: encrypted
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be unpacked: .*password"):
        convert.unpack(tmp_path / "a.zip", tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_a_file_that_changed_since_it_first_came_is_refused(
    prepare, web: Web, tmp_path: Path, capsys
) -> None:
    table, root = a_set(web, tmp_path), tmp_path / "data"
    assert prepare(table, "--yes") == 0
    (root / "set" / "list.json").write_bytes(b"[2]")
    assert prepare(table, "--yes", "--verify") == 2
    assert "differs from the first download" in capsys.readouterr().err
    (root / "set" / "list.json").unlink()
    web.files["/datasets/o/n/resolve/main/list.json"] = b"[3]"
    assert prepare(table, "--yes") == 2
    assert not (root / "set" / "list.json").exists()


def test_nobody_to_ask_means_no(prepare, web: Web, tmp_path: Path, capsys) -> None:
    assert prepare(a_set(web, tmp_path)) == 2
    assert "--yes" in capsys.readouterr().err
    assert not web.asked


def test_what_is_left_to_do_by_hand_is_said(prepare, web: Web, tmp_path: Path, capsys) -> None:
    table = a_set(web, tmp_path, by_hand="Ask the author.", needs=["set/list.json", "set/more"])
    assert prepare(table, "--yes") == 1
    out = capsys.readouterr().out
    assert f"missing: {tmp_path / 'data' / 'set' / 'more'}" in out
    assert "Ask the author." in out


def test_the_token_goes_to_the_hub_alone(
    prepare, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    assert prepare(a_set(web, tmp_path), "--yes") == 0
    assert web.tokens == ["Bearer hf_secret", None]


def test_cifar10_from_its_binary_version(tmp_path: Path) -> None:
    """Two pictures, one red with a green first pixel, one blue."""
    folder = tmp_path / "downloads" / "cifar-10-batches-bin"
    folder.mkdir(parents=True)
    (folder / "batches.meta.txt").write_text("airplane\nautomobile\nbird\n\n")
    red, none, full = b"\x00" + b"\xff" * 1023, b"\x00" * 1024, b"\xff" * 1024
    green = b"\xff" + b"\x00" * 1023
    data = b"\x02" + red + green + none + b"\x00" + none + none + full
    (folder / "test_batch.bin").write_bytes(data)
    convert.cifar10_binary(tmp_path)
    samples = CIFAR10(base_data_path=str(tmp_path / "LAMM" / "2D_Benchmark"))
    assert [sample.answer for sample in samples] == ["bird", "airplane"]
    first, second = (samples[n].images[0].load() for n in range(2))
    assert first.size == (32, 32)
    assert [first.getpixel((0, 0)), first.getpixel((1, 0))] == [(0, 255, 0), (255, 0, 0)]
    assert second.getpixel((31, 31)) == (0, 0, 255)
    (folder / "test_batch.bin").write_bytes(data[:-1])
    with pytest.raises(DataError, match="truncated"):
        convert.cifar10_binary(tmp_path)


def test_mmbench_pictures_as_files(tmp_path: Path) -> None:
    def encoded(kind: str) -> bytes:
        stream = io.BytesIO()
        PIL.Image.new("RGB", (4, 4), "red").save(stream, kind)
        return stream.getvalue()

    folder = tmp_path / "MMBench"
    folder.mkdir()
    png, jpeg = encoded("PNG"), encoded("JPEG")
    rows = [("7", base64.b64encode(png)), ("1000007", b"7"), ("8", base64.b64encode(jpeg))]
    text = "".join(f"{index}\tq\tx\ty\tA\t{image.decode()}\n" for index, image in rows)
    header = "index\tquestion\tA\tB\tanswer\timage\n"
    (folder / "mmbench_dev_20230712.tsv").write_text(header + text)
    convert.mmbench_images(tmp_path)
    written = folder / "images"
    assert (written / "mmbench_image_7.png").read_bytes() == png
    assert (written / "mmbench_image_1000007.png").read_bytes() == png
    with PIL.Image.open(written / "mmbench_image_8.png") as image:
        assert (image.format, image.size) == ("PNG", (4, 4))


def test_mmmu_pictures_as_files(tmp_path: Path) -> None:
    from fixtures.mmmu import build

    build(tmp_path)
    exported = {file.name: file.read_bytes() for file in (tmp_path / "MMMU_images").iterdir()}
    assert exported
    shutil.rmtree(tmp_path / "MMMU_images")
    convert.mmmu_images(tmp_path)
    made = {file.name for file in (tmp_path / "MMMU_images").iterdir()}
    assert made == {*exported}
    sample = MMMU(base_data_path=str(tmp_path / "MMMU"))[0]
    other = MMMU(base_data_path=str(tmp_path / "MMMU"), img_folder=str(tmp_path / "MMMU_images"))[0]
    assert [image.digest for image in sample.images] == [image.digest for image in other.images]


def test_the_table_of_sources_is_sound() -> None:
    table = sources.read_sources()
    for name, source in table.items():
        assert source.needs, name
        assert source.files or source.by_hand, name
        assert all(hasattr(convert, job) for job in (source.convert, source.exports) if job)
        for file in source.files:
            assert file.address.startswith(("https://", "http://")), name
            assert not Path(file.to).is_absolute()
            assert ".." not in Path(file.to).parts
    with pytest.raises(ConfigError, match="did you mean 'CIFAR10'"):
        sources.source_of("CIFAR-10", table)


def test_every_scenario_that_reads_chefs_layout_has_a_source() -> None:
    drawn = {"Shapes", "Digits", "Tsv", "Records"}
    assert {*own_scenarios()} - drawn <= {*sources.read_sources()}


# -- benchmarks of VLMEvalKit -------------------------------------------------------------------


@pytest.fixture
def listed(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The content of MMStar.tsv, which the server has and the table knows by its digest."""
    content = b"index\tquestion\tA\tB\tanswer\n1\tWhich?\tNone\tNA\tA\n"
    web.files["/MMStar.tsv"] = content
    found = table()
    digest = hashlib.md5(content).hexdigest()
    known = {
        "MMStar": Benchmark(family="mcq", url=f"{web.address}/MMStar.tsv", md5=digest),
        "MMVP": Benchmark(family="mcq"),
    }
    changed = BenchmarkTable(families=found.families, benchmarks={**found.benchmarks, **known})
    monkeypatch.setattr(sources, "table", lambda: changed)
    monkeypatch.setenv("LMUData", str(tmp_path / "LMUData"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return content


def test_a_benchmark_is_fetched_to_the_data_root(
    listed: bytes, web: Web, tmp_path: Path, capsys: Any
) -> None:
    home = tmp_path / "LMUData"  # ~/LMUData, for the folder that the variable names is not there
    assert main(["prepare", "MMStar", "--dry-run"]) == 0
    assert f"-> {home / 'MMStar.tsv'}" in capsys.readouterr().out
    assert main(["prepare", "MMStar", "--yes"]) == 0
    assert (home / "MMStar.tsv").read_bytes() == listed
    assert main(["prepare", "MMStar", "--yes", "--root", str(tmp_path / "other")]) == 0
    assert (tmp_path / "other" / "MMStar.tsv").read_bytes() == listed
    samples = SCENARIOS.get("MMStar")(check_md5=False)  # type: ignore[call-arg]
    assert samples[0].fields["choices"] == ["None", "NA"]


def test_a_benchmark_with_another_digest_is_not_kept(
    listed: bytes, web: Web, tmp_path: Path, capsys: Any
) -> None:
    web.files["/MMStar.tsv"] = listed + b"2\tMore?\tx\ty\tB\n"
    assert main(["prepare", "MMStar", "--yes"]) == 2
    assert "but the publisher states" in capsys.readouterr().err
    assert not (tmp_path / "LMUData" / "MMStar.tsv").exists()


def test_half_a_file_that_is_there_is_not_taken_for_the_whole(
    listed: bytes, tmp_path: Path, capsys: Any
) -> None:
    root = tmp_path / "my data"
    root.mkdir()
    file = root / "MMStar.tsv"
    file.write_bytes(listed[:30])
    again = ["prepare", "MMStar", "--data_root", str(root)]
    assert main(again) == 2
    told = capsys.readouterr().err
    assert f"{file}: its md5 is" in told
    assert "remove it, and run the command again" in told
    file.unlink()
    assert main([*again, "--yes"]) == 0
    capsys.readouterr()
    assert main(again) == 0  # nobody is asked, for nothing is to be downloaded
    assert (
        "MMStar: complete; run it: chef eval --model_cfg tiny --recipe_cfg VLMEvalKit/mcq "
        f"scenario_cfg.dataset_name=MMStar --data_root '{root}'\n"
    ) in capsys.readouterr().out


def test_without_a_network_the_file_may_be_brought(web: Web, tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    with pytest.raises(DataError) as failure:
        download.download("http://127.0.0.1:1/a.bin", target)
    assert "cannot be downloaded: no reply: Connection refused" in str(failure.value)
    assert f"check the network; or download it elsewhere, and put it there as {target}" in str(
        failure.value
    )


def test_a_benchmark_whose_address_is_not_known(listed: bytes, tmp_path: Path, capsys: Any) -> None:
    assert main(["prepare", "MMVP", "--yes"]) == 2
    told = capsys.readouterr().err
    assert "MMVP: the address of its file is not known" in told
    assert f"bring MMVP.tsv to {tmp_path / 'LMUData'}" in told
    assert main(["prepare", "MMStarr", "--yes"]) == 2
    assert "did you mean 'MMStar'?" in capsys.readouterr().err


def test_names_of_both_layouts_go_to_their_own_roots(
    listed: bytes, prepare: Any, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "read_sources", lambda: sources.read_sources(a_set(web, tmp_path)))
    assert main(["prepare", "Set", "MMStar", "--yes"]) == 0
    for root, name in (("data", "set/list.json"), ("LMUData", "MMStar.tsv")):
        assert (tmp_path / root / name).is_file()
        lock = json.loads((tmp_path / root / "sources.lock.json").read_text())
        assert name in lock
