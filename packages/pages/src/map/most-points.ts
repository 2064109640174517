/** What a page asks for beside its document costs no more, all together: a tenth of what one request may cost. */
export const mostPoints = 100_000
