// Reads the document for the viewer, which by itself gives up after five seconds, and does not say so.

const viewer = document.querySelector('openapi-explorer')
const status = document.querySelector('[role=status]')
const texts = JSON.parse(document.body.dataset.texts ?? '{}')
const said = (text, gap) => (texts[text] ?? text).replace('{0}', gap)

try {
  const response = await fetch(viewer.dataset.document, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(said('the server answered {0}', response.status))
  await viewer.loadSpec(await response.json())
  status.remove()
} catch (error) {
  status.textContent = said('The document cannot be shown: {0}. Load the page again.', error.message)
}
