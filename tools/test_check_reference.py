"""Headers and enumerators without a comment are found in Doxygen's XML."""

from pathlib import Path

import pytest

from tools.check_reference import undocumented

XML = """<doxygen><compounddef kind="file" language="C++"><compoundname>colour.h</compoundname>
<sectiondef><memberdef kind="enum"><name>colour</name>
<enumvalue><name>RED</name><briefdescription><para>Of blood.</para></briefdescription>
<detaileddescription/></enumvalue>
<enumvalue><name>BLUE</name><briefdescription>
</briefdescription><detaileddescription>
</detaileddescription></enumvalue>
<enumvalue><name>GREEN</name><briefdescription/>
<detaileddescription><para>Of leaves.</para></detaileddescription></enumvalue>
</memberdef></sectiondef>
<briefdescription>{comment}</briefdescription><detaileddescription/></compounddef></doxygen>
"""


def test_an_enumerator_without_a_comment_is_named(tmp_path: Path) -> None:
    (tmp_path / "colour_8h.xml").write_text(XML.format(comment="<para>Colours.</para>"), encoding="utf-8")
    assert undocumented(tmp_path) == ["colour::BLUE"]


def test_a_header_without_a_comment_is_named(tmp_path: Path) -> None:
    (tmp_path / "colour_8h.xml").write_text(XML.format(comment=""), encoding="utf-8")
    assert undocumented(tmp_path) == ["colour.h", "colour::BLUE"]


def test_a_folder_without_headers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no description of a header"):
        undocumented(tmp_path)
