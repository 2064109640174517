import { english } from '@prismapi/jsonapi/document/text'
import { type Content, type Html, html } from '@prismapi/pages/html/html'
import { type Job, type Outcome, shownCommand } from './job.ts'

/** What all jobs of a night have in common. */
export interface Night {
  readonly began: Date
  readonly seed: number
  readonly commit: string
  readonly cores: number
}

const results: readonly Outcome['result'][] = ['failed', 'over its budget', 'left out', 'passed']

/** The page of a night: what is done, and what is still to come. It needs no file but the logs that it leads to. */
export function reportOf(night: Night, outcomes: readonly Outcome[], toCome: readonly Job[] = []): string {
  const title = `Nightly run of ${night.began.toISOString().slice(0, 16).replace('T', ' ')}`
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
<p class="sum">${summary(outcomes, toCome)}</p>
<p>Commit ${night.commit}, Node ${process.version}, ${night.cores} cores, seed ${night.seed}. ${spent(outcomes, toCome)}</p>
<table>
<tr><th>job<th>result<th>time<th>budget<th>tests<th>failed<th>log</tr>
${outcomes.map(row)}
${toCome.map((job) => html`<tr><td>${job.name}<td>to come<td><td>${job.minutes} min<td><td><td></tr>\n`)}
</table>
${outcomes.map(section)}
</html>
`
  return page.textIn(english)
}

function summary(outcomes: readonly Outcome[], toCome: readonly Job[]): Content {
  const counted = results.map((result) => ({
    result,
    names: outcomes.filter((each) => each.result === result).map(({ job }) => job.name),
  }))
  const said = counted
    .filter(({ names }) => names.length > 0)
    .map(({ result, names }) => `${names.length} ${result}${result === 'passed' ? '' : ` (${names.join(', ')})`}`)
  return [...said, ...(toCome.length > 0 ? [`${toCome.length} to come`] : [])].join('; ')
}

function spent(outcomes: readonly Outcome[], toCome: readonly Job[]): string {
  const seconds = outcomes.reduce((sum, each) => sum + each.seconds, 0)
  const minutes = [...outcomes.map(({ job }) => job), ...toCome].reduce((sum, job) => sum + job.minutes, 0)
  return `${time(seconds)} of a budget of ${time(minutes * 60)}.`
}

const row = ({ job, result, seconds, log, told: { tests } }: Outcome): Html => html`<tr class="${classOf(result)}">
<td><a href="#${job.name}">${job.name}</a><td>${result}<td>${time(seconds)}<td>${job.minutes} min
<td>${tests?.run}<td>${tests?.failed}<td>${log && html`<a href="${log}">log</a>`}</tr>
`

const section = ({ job, result, reason, log, told }: Outcome): Html => html`
<section id="${job.name}" class="${classOf(result)}">
<h2>${job.name}: ${result}</h2>
<p>${job.purpose}
<p>Again: <code>${shownCommand(job)}</code>
<p>${reason}${log && html`; <a href="${log}">${log}</a>`}
${told.seeds.map((line) => html`<p><code>${line}</code>\n`)}
${told.end && html`<details${result === 'passed' ? '' : html` open`}><summary>The end of what it said</summary><pre>${told.end}</pre></details>`}
</section>
`

const classOf = (result: Outcome['result']): string =>
  result === 'over its budget' ? 'failed' : result.replace(' ', '-')

const time = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse }
th, td { text-align: left; padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid #8885 }
.sum { font-weight: bold }
.failed td:nth-child(2), .failed h2 { color: light-dark(#b00, #f77) }
.left-out td:nth-child(2), .left-out h2 { color: light-dark(#850, #db6) }
pre { overflow-x: auto; padding: 1rem; background: #8882; font-size: 0.85rem }
code { overflow-wrap: anywhere }
`
