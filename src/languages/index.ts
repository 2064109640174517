// `prismapi/languages`: what clients are told, in other languages than English.

export { french } from './french.ts'
export { german } from './german.ts'
export type { Catalogue, Languages } from './languages.ts'
export type { OwnText } from './texts.ts'
