// `prismapi/languages`: what clients are told, in other languages than English.

export type { Catalogue, Languages } from '@prismapi/jsonapi/document/text'
export { french } from './french.ts'
export { german } from './german.ts'
export type { OwnText } from './texts.ts'
