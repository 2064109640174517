import { expect, test } from 'vitest'
import { Worth } from '../src/kept-answers.ts'

const urls = Array.from({ length: 4000 }, (_, i) => `/api/v1/posts/${i}`)
const worthLooking = (worth: Worth) => urls.filter((url) => worth.isWorth(url)).length

test('where hardly any answer is found, one URL in sixteen is looked for', () => {
  const worth = new Worth()
  worthLooking(worth)
  const share = worthLooking(worth) / urls.length
  expect(share).toBeGreaterThan(1 / 24)
  expect(share).toBeLessThan(1 / 10)
})

test('where those are found, all are looked for again', () => {
  const worth = new Worth()
  worthLooking(worth)
  const looking = () =>
    urls.filter((url) => {
      const isWorth = worth.isWorth(url)
      if (isWorth) worth.found++
      return isWorth
    })
  looking()
  looking()
  expect(looking()).toEqual(urls)
})
