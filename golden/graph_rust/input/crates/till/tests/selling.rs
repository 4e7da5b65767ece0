use till::Till;

#[test]
fn sells() {
    let mut till = Till::open().unwrap();
    assert_eq!(till.sell("3"), 3);
    helper(&till);
}

fn helper(till: &Till) {
    till.total();
}
