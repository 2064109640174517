import { manyMark, type PageRequest, rowMark } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { fieldWords, type Words } from '../texts/words.ts'
import { many as words } from '../texts/writing.ts'
import type { Many } from './offered.ts'

const formId = 'many'

/** What is to be done with the rows that are chosen in the table below it. */
export const toolbar = ({ fields, mayDelete }: Many, { path, search }: Pick<PageRequest, 'path' | 'search'>): Html =>
  html`<form class="many" id="${formId}" method="get" action="${path}" data-now>${[...new URLSearchParams(search)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
<label>${words.chosen} <select name="${manyMark}"><option value="">${words.choose}</option>${fields.map(
    ({ name }) => html`<option value="change ${name}">${words.change(fieldWords(name))}</option>`,
  )}${mayDelete && html`<option value="delete">${words.remove}</option>`}</select></label> <button>${words.next}</button></form>`

/** In front of a row, for the form above the table. */
export const pick = (id: string, name: Words): Content =>
  html`<input type="checkbox" form="${formId}" name="${rowMark}" value="${id}" aria-label="${name}"> `

/** In the head of the table; it takes the pages' script. */
export const pickAll: Html = html`<input type="checkbox" data-all="${rowMark}" aria-label="${words.all}"> `
