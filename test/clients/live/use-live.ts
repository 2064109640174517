import { useEffect, useState } from 'react'
import { follow, type Told } from './follow.ts'

export type Tag = { id: string; attributes: { name: string } }

export function useLive(url: string, token: string): readonly Tag[] {
  const [tags, setTags] = useState(new Map<string, Tag>())
  useEffect(() => {
    const stop = new AbortController()
    const told: Told = (event, { data }) =>
      setTags((before) => {
        if (event === 'snapshot') return new Map((data as Tag[]).map((tag) => [tag.id, tag]))
        const { id } = (data ?? {}) as Tag
        const after = new Map(before)
        if (event === 'upsert') after.set(id, data as Tag)
        if (event === 'remove') after.delete(id)
        return after
      })
    follow(url, { Authorization: `Bearer ${token}` }, told, stop.signal).catch(console.error)
    return () => stop.abort()
  }, [url, token])
  return [...tags.values()]
}
