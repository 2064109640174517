import { german, type OwnText } from 'prismapi/languages'

// A language that has none of the letters of English: what is left of them was never told in it.

export const pseudoTag = 'qps-ploc'

/** `Forbidden` → `Ｆｏｒｂｉｄｄｅｎ`; what is in gaps stays. */
export const pseudo = (text: string): string =>
  text.replace(/:[a-z]\w*|[A-Za-z]/g, (found) =>
    found.startsWith(':') ? found : String.fromCharCode(found.charCodeAt(0) + 0xfee0),
  )

export const ownTexts = Object.keys(german) as readonly OwnText[]

/** Its catalogue, with an application's own texts. */
export const pseudoCatalogue = (own: readonly string[]) =>
  Object.fromEntries([...ownTexts, ...own].map((text) => [text, pseudo(text)]))
