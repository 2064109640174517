import { type Content, type Html, html } from './html.ts'

export const group = (legend: string, content: Content): Html =>
  html`<fieldset><legend>${legend}</legend>${content}</fieldset>`

export const checkbox = (name: string, value: string, isChecked: boolean): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${value}</label> `

/** A comma list of the query. */
export const listOf = (sent: URLSearchParams, name: string): readonly string[] =>
  (sent.get(name) ?? '').split(',').filter((value) => value !== '')
