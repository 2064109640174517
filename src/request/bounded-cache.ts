/**
 * Keeps what was made for the keys that were asked for last: at least `size` of them, and at most twice as many, unless their keys
 * are long. What is made takes room as its key does, by a factor, so all keys together have an end of `characters`, twice at most.
 */
export interface BoundedCache<Value> {
  get(key: string, make: () => Value): Value
}

// Two generations instead of an order of use: to find a value costs one look-up and writes nothing.
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
