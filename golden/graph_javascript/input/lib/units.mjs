export const grams = (ounces) => ounces * 28

export default function convert(text) {
  return grams(Number(text))
}

export { grams as g }
