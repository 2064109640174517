import { type Content, type Html, html } from '../html/html.ts'
import { titleOf, type Words } from '../texts/words.ts'

export const group = (legend: Words, content: Content): Html =>
  html`<fieldset><legend>${legend}</legend>${content}</fieldset>`

export const checkbox = (name: string, value: string, isChecked: boolean): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${titleOf(value)}</label> `
