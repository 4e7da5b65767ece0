from auth.token import TokenValidator


def test_validate():
    assert TokenValidator().validate("a.b") == ["a", "b"]
