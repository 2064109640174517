/** A type of TypeScript as it is written, as far as users are declared by it. */
export type TypeText =
  | { readonly kind: 'name'; readonly name: string; readonly args: readonly TypeText[] }
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'union' | 'intersection'; readonly parts: readonly TypeText[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list' }

interface Member {
  readonly name: string
  readonly optional: boolean
  readonly type: TypeText
}

/** The type that a text begins with. */
export const readType = (text: string): TypeText => new TypeParser(text).union()

const token = /\s*('[^']*'|"[^"]*"|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$.]*|[{}()<>[\]|&;,:?=])/y

class TypeParser {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  union(): TypeText {
    this.take('|')
    return this.joined('|', 'union', () => this.joined('&', 'intersection', () => this.postfix()))
  }

  private joined(sign: string, kind: 'union' | 'intersection', part: () => TypeText): TypeText {
    const parts = [part()]
    while (this.take(sign)) parts.push(part())
    return parts.length === 1 ? (parts[0] as TypeText) : { kind, parts }
  }

  private postfix(): TypeText {
    let type = this.primary()
    while (this.peek() === '[') {
      this.next()
      this.union()
      this.take(']')
      type = { kind: 'list' }
    }
    return type
  }

  private primary(): TypeText {
    const word = this.next()
    if (word === '(') {
      const inner = this.union()
      this.take(')')
      return inner
    }
    if (word === '{') return { kind: 'object', members: this.members() }
    if (word === 'readonly') return this.postfix()
    if (/^['"]/.test(word)) return { kind: 'literal', value: word.slice(1, -1) }
    if (/^-?\d/.test(word)) return { kind: 'literal', value: Number(word) }
    const args: TypeText[] = []
    if (this.take('<')) {
      do args.push(this.union())
      while (this.take(','))
      this.take('>')
    }
    return word === 'Array' || word === 'ReadonlyArray' ? { kind: 'list' } : { kind: 'name', name: word, args }
  }

  private members(): readonly Member[] {
    const members: Member[] = []
    while (this.peek() !== '' && !this.take('}')) {
      this.take('readonly')
      const name = this.next().replace(/^['"]|['"]$/g, '')
      const optional = this.take('?')
      if (!this.take(':')) continue
      members.push({ name, optional, type: this.union() })
      this.take(';')
      this.take(',')
    }
    return members
  }

  private peek(): string {
    token.lastIndex = this.at
    return token.exec(this.text)?.[1] ?? ''
  }

  private next(): string {
    token.lastIndex = this.at
    const found = token.exec(this.text)
    if (found) this.at = token.lastIndex
    return found?.[1] ?? ''
  }

  private take(word: string): boolean {
    if (this.peek() !== word) return false
    this.next()
    return true
  }
}
