/**
 * Wraps a function of an object so that it runs once for each object. It is for
 * objects that are frozen and live as long as their server, like schemas and columns.
 */
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

/**
 * Keeps the values of the keys that were asked for last: of `size` keys at least, and of
 * twice as many at most. The memory of a value grows with its key, so fewer are kept
 * where keys are long: all keys have `characters` characters together, or twice as many.
 */
export interface BoundedCache<Value> {
  get(key: string, make: () => Value): Value
}

// Two generations of keys, in place of an order of use: to find a
// value in the younger one costs one look-up and writes nothing.
export function boundedCache<Value>(size: number, characters = 65_536): BoundedCache<Value> {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  let length = 0
  return {
    get(key, make) {
      const known = recent.get(key)
      if (known !== undefined) return known
      const value = older.get(key) ?? make()
      if (key.length > characters) return value
      if (recent.size >= size || length + key.length > characters) {
        older = recent
        recent = new Map()
        length = 0
      }
      length += key.length
      recent.set(key, value)
      return value
    },
  }
}
