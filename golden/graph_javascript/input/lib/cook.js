exports.boil = function (food) {
  return stir(food)
}

exports.toast = toast

function toast(food) {
  return [food].map((slice) => slice.trim())
}

function stir(food) {
  function spoon(food) {
    return food
  }
  return spoon(food)
}

const recipes = {
  soup() {
    return this.stock() + boil('leek')
  },
  stock: () => 'stock',
}

function boil(food) {
  return recipes.soup() + food
}
