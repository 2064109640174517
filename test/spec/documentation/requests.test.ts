import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { checkOf, fencesThatAre } from '../../support/documentation/checks.ts'
import { followRequests, shownOrigin } from '../../support/documentation/follow.ts'

const pages = [...new Set(fencesThatAre('asked').map(({ page }) => page))]

describe.each(pages)('%s', (page) => {
  const api = useApi({ baseUrl: shownOrigin })

  test('its requests get the answers that it shows', async () => {
    const compared = await followRequests(page, api, (fence) => checkOf(fence) === 'asked')
    expect(compared.map(({ place, seen }) => ({ place, answer: seen }))).toEqual(
      compared.map(({ place, shown }) => ({ place, answer: shown })),
    )
  })
})
