// Reads the document for the viewer, which by itself gives up after a while, and does not say so.

const viewer = document.querySelector('[data-document]')
const status = document.querySelector('[role=status]')
const texts = JSON.parse(document.body.dataset.texts ?? '{}')
const said = (text, gap) => (texts[text] ?? text).replace('{0}', gap)

/** What docs.css cannot reach: the viewer gives it no name. */
const own = new CSSStyleSheet()
own.replaceSync(`
  h2 { font-size: 16px; font-weight: 650 }
  .nav-bar-info, .nav-bar-tag { padding: 8px 12px; color: var(--fg); font-weight: 650 }
`)

/** Gives the document to the package that the application has chosen. */
function show(described) {
  const { settings } = viewer.dataset
  if (settings === undefined) {
    viewer.shadowRoot.adoptedStyleSheets.push(own)
    return viewer.loadSpec(described)
  }
  // Light or dark as the reader has chosen on the pages; else as the system says.
  const theme = localStorage.getItem('prismapi-theme')
  const chosen = theme && { forceDarkModeState: theme }
  Scalar.createApiReference(viewer, { ...JSON.parse(settings), ...chosen, content: described })
}

try {
  const response = await fetch(viewer.dataset.document, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(said('the server answered {0}', response.status))
  await show(await response.json())
  status.remove()
} catch (error) {
  status.textContent = said('The document cannot be shown: {0}. Load the page again.', error.message)
}
