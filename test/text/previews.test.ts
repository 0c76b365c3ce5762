import t from 'tap'
import { renderAtOnce } from '../../server/text/markdown.js'
import { pathsIn } from '../../server/text/uploaded-files.js'
import { organization } from './message-html/organization.js'

const link = '[chart.png](/user_uploads/2/ab/chart.png)'

t.test('without previews a link is only a link, and a picture in the text is still shown', async t => {
  const names = { ...organization, showsPreviews: false }
  t.equal(renderAtOnce(link, names).html, '<p><a href="/user_uploads/2/ab/chart.png">chart.png</a></p>')
  t.match(renderAtOnce(`!${link}`, names).html, /^<p><img [^>]*class="inline-image"[^>]*><\/p>$/)
})

t.test('what a message holds follows from what it shows', async t => {
  const of = (content: string) => {
    const { hasLink, hasImage, hasAttachment, files } = renderAtOnce(content, organization)
    return { hasLink, hasImage, hasAttachment, files }
  }
  const files = ['2/ab/chart.png']
  t.same(of(link), { hasLink: true, hasImage: true, hasAttachment: true, files })
  t.same(of(`!${link}`), { hasLink: false, hasImage: true, hasAttachment: true, files })
  t.same(of(`> ${link}`), { hasLink: true, hasImage: false, hasAttachment: true, files })
  t.match(of('[demo.mp4](/user_uploads/2/ab/demo.mp4)'), { hasImage: false, hasAttachment: true })
  t.match(of('![song](/user_uploads/2/ee/song.mp3)'), { hasLink: false, hasImage: false, hasAttachment: true })
})

t.test('texts and names in a preview are escaped', async t => {
  const { html } = renderAtOnce('[<b> "x" & y](/user_uploads/2/ab/chart.png)', organization)
  t.match(html, 'title="&lt;b&gt; &quot;x&quot; &amp; y"')
  t.notMatch(html, '<b>')
  t.match(
    renderAtOnce('!["><script>](/user_uploads/2/ab/chart.png)', organization).html,
    'alt="&quot;&gt;&lt;script&gt;"',
  )
})

t.test('only a file that may be read is shown, and only at its own address', async t => {
  for (const address of [
    '/user_uploads/2/ab/other.png',
    '/user_uploads/thumbnail/2/ab/chart.png/840x560.webp',
    '/user_uploads/2/ab/../ab/chart.png',
    'https://other.example/user_uploads/2/ab/chart.png',
    '/static/2/ab/chart.png',
  ]) {
    t.notMatch(renderAtOnce(`[a](${address}) ![b](${address})`, organization).html, 'data-original', address)
  }
})

t.test('paths of files are found before a text is parsed', async t => {
  t.same(pathsIn('no files'), [])
  t.same(pathsIn('see /user_uploads/2/ab/größe.png, and (/user_uploads/2/ab/b.tar.gz).'), [
    '2/ab/größe.png',
    '2/ab/b.tar.gz',
  ])
  t.same(pathsIn('https://chat.example/user_uploads/2/ab/c.png.'), ['2/ab/c.png.', '2/ab/c.png'])
  t.ok(pathsIn(Array.from({ length: 500 }, (_, i) => `/user_uploads/2/ab/${i}.png.`).join(' ')).length <= 51)
})

t.test('a text that fits only without its previews keeps its links and its markup', async t => {
  const address = (n: number) => `https://a.example/${n}/${'中'.repeat(200)}.png`
  const text = `**${'x'.repeat(1_000)}** ${Array.from({ length: 24 }, (_, n) => `${address(n)} &`).join(' ')}${'&'.repeat(6_000)}`
  const { html } = renderAtOnce(text, organization)
  t.match(html, /^<p><strong>x+<\/strong> <a href="https:/)
  t.notMatch(html, 'external_content')
  t.match(renderAtOnce(text.slice(0, 3_000), organization).html, 'external_content')
})

t.test('a message with more than 24 addresses has no previews', async t => {
  const links = Array.from({ length: 25 }, (_, n) => `https://pics.example/${n}.png https://news.example/p`).join(' ')
  t.notMatch(renderAtOnce(links, organization).html, '<div')
  t.same(renderAtOnce(links, organization).websites, [])
})

t.test('websites to look at are the links that show nothing by themselves, outside of quotations', async t => {
  const of = (content: string, names = organization) => renderAtOnce(content, names).websites
  t.same(of('https://a.example b.example/c [x](https://a.example) https://pics.example/cat.png'), [
    'https://a.example',
    'http://b.example/c',
  ])
  t.same(of('> https://a.example'), [])
  for (const none of [
    'https://chat.example/#narrow',
    '[x](/user_uploads/2/ab/doc.pdf)',
    '[x](/help)',
    'me@a.example',
    '[x](ftp://a.example)',
    'http://u:p@a.example/',
    'http://a.example:22/',
    'https://youtu.be/abcDEF12345',
    '`https://a.example`',
  ])
    t.same(
      of(none).filter(url => url !== 'https://chat.example/#narrow'),
      [],
      none,
    )
  t.same(of('https://a.example', { ...organization, showsWebsites: false }), [])
  t.same(of('https://pics.example/cat.png', { ...organization, showsPreviews: false }), [], 'a picture is no website')
})
