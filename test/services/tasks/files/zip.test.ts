// Files as a zip archive, read by the format's own words; that other programs read it, a long test shows (`other-programs-long.test.ts`).
import { performance } from 'node:perf_hooks'
import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { toZip, type ZipFile } from '#services/tasks/files/zip.ts'

const files = [
  { path: 'notes/plan.md', text: 'one two three\n'.repeat(1000) },
  { path: 'a.md', text: 'short' },
  { path: 'empty.md', text: '' },
  { path: '文档/第一章 🎉.md', text: '温室建于一八七三年。\r\n' },
]

/** By the list at its end; what stands at each file says the same. */
function unzip(bytes: Uint8Array): readonly ZipFile[] {
  const all = Buffer.from(bytes)
  const end = all.byteLength - 22
  expect(all.readUInt32LE(end)).toBe(0x06054b50)
  const count = all.readUInt16LE(end + 10)
  let at = all.readUInt32LE(end + 16)
  expect(at + all.readUInt32LE(end + 12)).toBe(end)
  return Array.from({ length: count }, () => {
    expect(all.readUInt32LE(at)).toBe(0x02014b50)
    const [local, nameBytes] = [all.readUInt32LE(at + 42), all.readUInt16LE(at + 28)]
    const named = all.subarray(at + 46, at + 46 + nameBytes)
    expect(all.readUInt32LE(local)).toBe(0x04034b50)
    expect(all.subarray(local + 4, local + 30)).toEqual(all.subarray(at + 6, at + 32))
    expect(all.subarray(local + 30, local + 30 + nameBytes)).toEqual(named)
    const begin = local + 30 + nameBytes
    const data = all.subarray(begin, begin + all.readUInt32LE(at + 20))
    const body = all.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data
    expect([crc32(body), body.byteLength]).toEqual([all.readUInt32LE(at + 16), all.readUInt32LE(at + 24)])
    at += 46 + nameBytes
    return { path: named.toString(), text: body.toString() }
  })
}

test('every file is in it as it was, in the order of the paths', () => {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  expect(unzip(toZip(files))).toEqual(sorted)
  expect(unzip(toZip([]))).toEqual([])
})

test('the same files in another order give the same bytes, and other files others', () => {
  expect(toZip(files.toReversed())).toEqual(toZip(files))
  expect(toZip(files.slice(1))).not.toEqual(toZip(files))
})

test('a whole workspace of 4 MB is packed while nobody waits, and takes less room than it had', () => {
  const words = Array.from({ length: 32_000 }, (_, at) => `word${(at * 7919) % 5000}`).join(' ')
  const all = Array.from({ length: 16 }, (_, at) => ({ path: `${at}.md`, text: `${at} ${words.slice(0, 262_100)}` }))
  const beganAt = performance.now()
  const bytes = toZip(all)
  expect(performance.now() - beganAt).toBeLessThan(500)
  expect(bytes.byteLength).toBeLessThan(3_000_000)
  expect(unzip(bytes)).toHaveLength(16)
})
