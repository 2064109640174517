import { createClient, type Resource } from './api.ts'

/** The desk, for somebody with a key. */
export const connect = (baseUrl: string, key: string) =>
  createClient({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

type Desk = ReturnType<typeof connect>

/** The sessions of a room from an instant on, with the names of those who rent it. */
export async function sessions(desk: Desk, room: string, from: string) {
  const { data, error } = await desk.GET('/api/desk/bookings', {
    params: { query: { 'filter[room]': [room], 'filter[endsAt][gt]': from, include: ['artist'], sort: ['startsAt'] } },
  })
  if (error) throw new Error(error.errors.map(({ title }) => title).join())
  const names = new Map(
    data.included?.flatMap((each) => (each.type === 'artists' ? [[each.id, each.attributes?.name]] : [])),
  )
  const bookings: Resource<'bookings'>[] = Array.isArray(data.data) ? data.data : []
  return bookings.map(({ id, attributes, relationships }) => ({
    id,
    startsAt: attributes?.startsAt,
    artist: names.get(relationships?.artist?.data?.id ?? ''),
  }))
}

/** Books a room; or says at which field something is wrong. */
export async function book(desk: Desk, room: string, startsAt: string, endsAt: string) {
  const { data, error } = await desk.POST('/api/desk/bookings', {
    body: {
      data: {
        type: 'bookings',
        attributes: { startsAt, endsAt },
        relationships: { room: { data: { type: 'rooms', id: room } } },
      },
    },
  })
  return data ? { id: data.data.id } : { faults: error.errors.map(({ source, detail }) => [source?.pointer, detail]) }
}
