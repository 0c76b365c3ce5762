import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { readWebsite } from '../../server/external/read-website.js'
import { playerAddress } from '../../server/external/video-providers.js'
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

const oembed = (answer: unknown, head = { 'Content-Type': 'application/json' }, href = '/oembed', from = external) => {
  pages.set('/oembed', { html: typeof answer === 'string' ? answer : JSON.stringify(answer), head })
  const link = `<link rel="alternate" type="application/json+oembed" href="${href}">`
  pages.set('/page', { html: `<html>${link}${image}<title>Own</title><p>words` })
  return readWebsite(from, host.at('/page'), owner, never)
}
const player = (src: string) => `<iframe src="${src}"></iframe>`
const video = { type: 'video', title: 'Clip', thumbnail_url: 'https://v.example/still.png' }
const own = { kind: 'page', title: 'Own', image: at('/i.png') }

t.test('oEmbed comes first', async t => {
  t.match(await oembed({ type: 'photo', title: 'Lake', url: '/lake.png' }), {
    kind: 'photo',
    title: 'Lake',
    image: at('/lake.png'),
  })
  t.match(await oembed({ type: 'rich', title: 'Rich', html: player('https://v.example') }), {
    kind: 'page',
    title: 'Rich',
    image: at('/i.png'),
  })
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
    t.match(await oembed(answer), own, String(answer).slice(0, 20))
  t.match(await oembed(video, { 'Content-Type': 'text/html' }), own, 'an answer of another type')
})

t.test('a video of a known provider has its player', async t => {
  const provider = {
    pages: [new URL(at('/')).origin],
    endpoint: at('/oembed'),
    players: 'https://player.example/video/',
  }
  const known = toOtherHosts({}, undefined, undefined, [provider])
  const read = (html: string, href?: string) => oembed({ ...video, html }, undefined, href, known)
  const html =
    '<div><script>alert(1)</script><iframe src="https://player.example/video/9?a=b&amp;c=d" onload="x()"></iframe></div>'
  t.same(await read(html, '/oembed'), {
    kind: 'video',
    title: 'Clip',
    description: 'words',
    image: 'https://v.example/still.png',
    player: 'https://player.example/video/9?a=b&c=d',
  })
  const none = { kind: 'page', title: 'Clip', player: '' }
  for (const src of [
    'http://player.example/video/9',
    'https://player.example.evil.example/video/9',
    'https://player.example:8443/video/9',
    'https://user@player.example/video/9',
    'https://player.example/videos/9',
    'https://player.example/video/../redirect?to=https://evil.example',
    'https://player.example/other?/video/',
    '//evil.example/video/9',
    'https://192.168.0.1/video/9',
    'javascript:alert(1)',
    '/video/9',
    '',
  ])
    t.match(await read(player(src)), none, src)
  t.match(await read('<script>alert(1)</script>'), none)
  t.match(await read(html, host.at('/oembed', 'other.example')), none, 'an answer of another host')
})

t.test('a website that announces a player of its own, or that of another provider, has none', async t => {
  const none = { kind: 'page', title: 'Clip', player: '' }
  for (const src of [
    'https://evil.example/e/9',
    'http://evil.example/e/9',
    at('/e/9'),
    'https://192.168.0.1/admin',
    'https://localhost/',
    'https://[::1]/',
    'https://player.vimeo.com/video/1',
    'https://www.youtube.com/embed/abcDEF12345',
  ])
    t.match(await oembed({ ...video, html: player(src) }), none, src)
})

t.test('the known providers are of https, and each has players of its own', async t => {
  const { videoProviders } = external
  const page = (address: string) => new URL(address)
  const [vimeo, youtube] = [
    'https://vimeo.com/api/oembed.json?url=x',
    'https://www.youtube.com/oembed?format=json&url=x',
  ]
  const [ofVimeo, ofYoutube] = [
    'https://player.vimeo.com/video/76979871?h=8',
    'https://www.youtube.com/embed/videoseries?list=x',
  ]
  const clip = page('https://vimeo.com/76979871')
  t.equal(playerAddress(videoProviders, clip, vimeo, ofVimeo), ofVimeo)
  t.equal(playerAddress(videoProviders, page('https://www.youtube.com/playlist?list=x'), youtube, ofYoutube), ofYoutube)
  for (const [from, oembed, frame] of [
    [clip, vimeo, ofYoutube],
    [clip, youtube, ofVimeo],
    [page('https://evil.example/'), vimeo, ofVimeo],
    [page('http://vimeo.com/76979871'), vimeo, ofVimeo],
    [page('https://vimeo.com.evil.example/'), vimeo, ofVimeo],
    [clip, vimeo.replace('https', 'http'), ofVimeo],
    [clip, 'https://vimeo.com/api/oembed.json.evil', ofVimeo],
    [clip, vimeo, ofVimeo.replace('https', 'http')],
    [clip, vimeo, 'https://player.vimeo.com.evil.example/video/1'],
    [clip, '', ofVimeo],
    [clip, vimeo, ''],
  ] as const)
    t.equal(playerAddress(videoProviders, from, oembed, frame), '', `${from} ${oembed} ${frame}`)
  for (const { pages, endpoint, players } of videoProviders)
    for (const address of [...pages, endpoint, players]) t.match(address, /^https:/)
})
