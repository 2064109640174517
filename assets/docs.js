// Reads the document for the viewer, which by itself gives up after five seconds, and does not say so.

const viewer = document.querySelector('openapi-explorer')
const status = document.querySelector('[role=status]')

try {
  const response = await fetch(viewer.dataset.document, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  await viewer.loadSpec(await response.json())
  status.remove()
} catch (error) {
  status.textContent = `The document cannot be shown: ${error.message}. Load the page again.`
}
