import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { readWebsite } from '../../server/external/read-website.js'
import { until } from '../http/until.js'
import { otherHost, toOtherHosts } from '../support/external.js'

const never = new AbortController().signal
const owner = { key: 'sender', most: 4 }
const external = toOtherHosts()
const impatient = toOtherHosts({ websiteMs: 1_500 })
const pages = new Map<string, { html: string | Buffer; head?: Record<string, string> }>()
const host = await otherHost(t, (request, response) => {
  const page = pages.get(request.url ?? '')
  if (request.url === '/endless') {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.write('<html><meta property="og:image" content="/i.png"><title>Endless</title>')
    const more = () => {
      while (!response.destroyed && response.write('<p>more</p>'.repeat(1_000)));
    }
    response.on('drain', more)
    more()
  } else if (request.url === '/slow') {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.write('<html><meta property="og:image" content="/i.png"><title>Slow</title>')
  } else if (page) response.writeHead(200, { 'Content-Type': 'text/html', ...page.head }).end(page.html)
  else if (request.url !== '/silent') response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>none')
})
const read = (html: string | Buffer, head?: Record<string, string>) => {
  pages.set('/page', head ? { html, head } : { html })
  return readWebsite(external, host.at('/page'), owner, never)
}
const image = '<meta property="og:image" content="/i.png">'
const at = (path: string) => host.at(path)

t.test('OpenGraph comes before what the page has itself', async t => {
  const website = await read(`<!DOCTYPE html><html><head><title>Own</title><meta name="description" content="own words">
    <meta property="og:title" content="Rain &amp; shine"><meta property="og:description" content="Told">
    <meta property="og:image" content="pictures/i.png"></head><body><h1>Head</h1><img src="/b.png"></body></html>`)
  t.same(website, {
    kind: 'page',
    title: 'Rain & shine',
    description: 'Told',
    image: at('/pictures/i.png'),
    player: '',
  })
})

t.test('without OpenGraph the title, the description and the first picture behind the heading count', async t => {
  t.match(
    await read(
      '<html><title>Own</title><meta name="description" content="words"><img src="a.png"><h1>Head</h1><img src="b.png">',
    ),
    { title: 'Own', description: 'words', image: at('/b.png') },
  )
  t.match(await read('<html><h1>The <b>head</b></h1><p><img src="b.png"></p><p>First\n  words</p><p>Second</p>'), {
    title: 'The head',
    description: 'First words',
    image: at('/b.png'),
  })
})

t.test('a page without a picture of another host shows nothing', async t => {
  for (const html of [
    '<html><title>x</title>',
    '<html><img src="before.png"><h1>x</h1>',
    '<html><meta property="og:image" content="">',
    '<html><meta property="og:image" content="data:image/png;base64,x">',
    '<html><meta property="og:image" content="javascript:alert(1)">',
    '<html><meta property="og:image" content="http://user:word@a.example/i.png">',
    '<html><meta property="og:image" content="http://[x">',
    `<html><meta property="og:image" content="/${'x'.repeat(3000)}">`,
  ])
    t.equal(await read(html), null, html.slice(0, 80))
})

t.test('texts are on one line, short, and do not change their direction', async t => {
  const website = await read(
    `<html>${image}<title>\u202e a b\r\n\tc &#x202e;&#0;${'x'.repeat(500)}</title><p>${'y '.repeat(900)}</p>`,
  )
  t.match(website?.title, /^a b c .*x…$/u)
  t.notMatch(website?.title, /[\p{Cc}\u202e]/u)
  t.equal([...(website?.title ?? '')].length, 200)
  t.equal([...(website?.description ?? '')].length, 500)
})

t.test('what is no page by its header or its content shows nothing', async t => {
  for (const type of ['text/plain', 'image/png', 'application/json', 'application/pdf', ''])
    t.equal(await read(`<html>${image}`, { 'Content-Type': type }), null, type)
  t.equal(await read(`<html>${image}`, { 'Content-Encoding': 'gzip' }), null)
  for (const html of [
    '',
    '{"a": 1}',
    'words',
    Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
    `<html>\0${image}`,
    `\x7fELF${image}`,
  ])
    t.equal(await read(html), null, String(html).slice(0, 20))
  t.equal(await readWebsite(external, host.at('/missing'), owner, never), null)
})

t.test('broken HTML is read as far as it makes sense', async t => {
  t.match(await read(`<<<html <head ${'<'.repeat(500)}>${image}<title>It <works`), null)
  t.match(await read(`<html></p></div><title>Still</titel></title>${image}<p>words<p>more</b></i></html></html>`), {
    title: 'Still</titel>',
    description: 'words',
  })
  t.match(await read(`<html>${image}<title>Open`), { title: 'Open' })
})

t.test('a page is read in its own characters', async t => {
  const latin = Buffer.concat([Buffer.from(`<html>${image}<title>caf`), Buffer.from([0xe9]), Buffer.from('</title>')])
  t.match(await read(latin, { 'Content-Type': 'text/html; charset=ISO-8859-1' }), { title: 'café' })
  const own = Buffer.concat([Buffer.from(`<html><meta charset=windows-1252>${image}<title>caf`), Buffer.from([0xe9])])
  t.match(await read(own), { title: 'café' })
  t.match(await read(`<html>${image}<title>größe`, { 'Content-Type': 'text/html; charset=nonsense' }), {
    title: 'größe',
  })
})

t.test('of a page that never ends, is large, or stops, the beginning counts', async t => {
  t.match(await readWebsite(external, host.at('/endless'), owner, never), { title: 'Endless' })
  t.match(await read(`<html>${image}<title>Large</title>${'<p><b>x'.repeat(1_500_000)}`), { title: 'Large' })
  const slow = readWebsite(impatient, host.at('/slow'), owner, never)
  await t.rejects(readWebsite(impatient, host.at('/silent'), owner, never), { name: 'ExternalFailure' })
  t.match(await slow, { title: 'Slow' })
})

t.test('a host that is silent is given up although garbage is collected meanwhile', async t => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const before = host.asked.length
  const silent = t.rejects(readWebsite(impatient, host.at('/silent'), owner, never), { name: 'ExternalFailure' })
  await until(() => host.asked.length > before)
  collectGarbage()
  await silent
})

t.test('nested elements do not occupy the worker', async t => {
  for (const part of ['<b>', '<div>', '<svg><title>', '<table><tr><td>', '<b></i>']) {
    const start = process.cpuUsage().user
    t.match(await read(`<html>${image}<title>Deep</title>${part.repeat(100_000)}`), { title: 'Deep' }, part)
    t.ok(process.cpuUsage().user - start < 2_000_000, part)
  }
})

t.test('oEmbed comes first', async t => {
  const page = (answer: unknown, head = { 'Content-Type': 'application/json' }) => {
    pages.set('/oembed', { html: typeof answer === 'string' ? answer : JSON.stringify(answer), head })
    return read(
      `<html><link rel="alternate" type="application/json+oembed" href="/oembed">${image}<title>Own</title><p>words`,
    )
  }
  const video = { type: 'video', title: 'Clip', thumbnail_url: 'https://v.example/still.png' }
  t.same(
    await page({
      ...video,
      html: '<div><script>alert(1)</script><iframe src="https://v.example/e/9?a=b&amp;c=d" onload="x()"></iframe></div>',
    }),
    {
      kind: 'video',
      title: 'Clip',
      description: 'words',
      image: 'https://v.example/still.png',
      player: 'https://v.example/e/9?a=b&c=d',
    },
  )
  t.match(await page({ type: 'photo', title: 'Lake', url: '/lake.png' }), {
    kind: 'photo',
    title: 'Lake',
    image: at('/lake.png'),
  })
  t.match(await page({ type: 'rich', title: 'Rich', html: '<iframe src="https://v.example">' }), {
    kind: 'page',
    title: 'Rich',
    image: at('/i.png'),
  })
  for (const html of [
    '<script>alert(1)</script>',
    '<iframe src="javascript:alert(1)">',
    '<iframe src="http://u:p@v.example/">',
    '',
  ])
    t.match(await page({ ...video, html }), { kind: 'page', title: 'Clip', player: '' }, html)
  const own = { kind: 'page', title: 'Own', image: at('/i.png') }
  for (const answer of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    { title: 7, type: [] },
    { type: 'photo', url: 'file:///x' },
    `"${'x'.repeat(70_000)}"`,
  ])
    t.match(await page(answer), own, String(answer).slice(0, 20))
  t.match(await page(video, { 'Content-Type': 'text/html' }), own, 'an answer of another type')
})
