/** So many questions are counted before there is a verdict. */
const counted = 256
/** One in so many has to find an answer; where fewer do, one URL in so many goes on being looked for. */
const share = 16

/**
 * Is it worth the time to look for the answers of one kind of question: where each client asks for another resource,
 * hardly any would be found.
 */
export class Worth {
  /** How many found an answer. */
  found = 0
  private asked = 0
  private isSeldom = false

  /** Is an answer to this URL to be looked for. */
  isWorth(url: string): boolean {
    if (this.isSeldom && partOf(url) !== 0) return false
    this.asked++
    if (this.asked <= counted) return true
    this.isSeldom = this.found * share < this.asked
    this.asked = 0
    this.found = 0
    return true
  }
}

/** By its last characters, which differ most. */
function partOf(url: string): number {
  let sum = url.length
  for (let i = Math.max(0, url.length - 6); i < url.length; i++) sum = sum * 31 + url.charCodeAt(i)
  return sum % share
}
