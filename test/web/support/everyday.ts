import type { Browser } from 'playwright-core'
import { sendFiles, upload } from '../../support/files.js'
import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

interface Team {
  readonly ines: Person
  readonly tomas: Person
  readonly mei: Person
  readonly channels: Readonly<Record<string, number>>
}

/** Adds a topic with a picture, a poll, a custom emoji, statuses and faces, for the images of the documentation. */
export async function everydayTopic(
  server: TestServer,
  browser: Browser,
  { ines, tomas, mei, channels }: Team,
): Promise<void> {
  const page = await browser.newPage()
  const pngOf = async (svg: string) => {
    await page.setContent(`<style>body { margin: 0 }</style>${svg}`)
    return new Uint8Array(await page.locator('svg').screenshot({ omitBackground: true }))
  }
  const say = async (who: Person, content: string): Promise<number> => {
    const message = { type: 'channel', to: channels.general, topic: 'offsite', content, read_by_sender: true }
    return (await who.ok('POST', '/messages', message)).id
  }
  await sendFiles(server.url, ines, '/realm/emoji/lighthouse', {
    files: [{ name: 'lighthouse.png', bytes: await pngOf(lamp) }],
  })
  for (const [who, colours] of [
    [ines, ['#2f6f8f', '#f2d0a4']],
    [mei, ['#8c3b5a', '#f5e6c8']],
    [tomas, ['#3d6b45', '#e9d8a6']],
  ] as const) {
    await sendFiles(server.url, who, '/users/me/avatar', {
      files: [{ name: 'face.png', bytes: await pngOf(face(colours)) }],
    })
  }
  await tomas.ok('POST', '/users/me/status', { status_text: 'on a train', emoji_name: 'train' })
  await mei.ok('POST', '/users/me/status', { status_text: 'lunch until one', emoji_name: 'bento' })
  const picture = await upload(server.url, mei, { name: 'harbour.png', bytes: await pngOf(harbour), type: 'image/png' })
  const shown = await say(mei, `The view from the house: [harbour.png](${picture})`)
  for (const who of [ines, tomas]) await who.ok('POST', `/messages/${shown}/reactions`, { emoji_name: 'lighthouse' })
  const poll = await say(tomas, '/poll What do we cook on Friday?\nfish soup\nflatbread\nwhatever is left')
  for (const [who, option] of [
    [tomas, 0],
    [ines, 0],
    [mei, 1],
  ] as const) {
    await who.ok('POST', '/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 }),
    })
  }
  await say(ines, 'Soup it is, unless the trains are late again :lighthouse:')
  await page.close()
}

const lamp = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
  <path d="M26 20h12l5 40H21z" fill="#c0392b"/><path d="M24 34h16l1 9H23z" fill="#fff"/>
  <rect x="25" y="11" width="14" height="9" fill="#f6c945"/><path d="M23 11l9-7 9 7z" fill="#333"/></svg>`

const face = ([coat, skin]: readonly [
  string,
  string,
]) => `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
  <rect width="200" height="200" fill="${coat}" opacity=".25"/><circle cx="100" cy="84" r="44" fill="${skin}"/>
  <path d="M56 78a44 44 0 0 1 88 0c-20-14-60-18-88 0z" fill="#3a2e2a"/><path d="M24 200c4-50 40-66 76-66s72 16 76 66z" fill="${coat}"/></svg>`

/** A picture of a landing stage, 1200 × 640. */
export const harbour = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="640">
  <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#27486b"/><stop offset=".6" stop-color="#e08e6d"/>
  <stop offset="1" stop-color="#f7d9a8"/></linearGradient></defs>
  <rect width="1200" height="640" fill="url(#sky)"/><circle cx="840" cy="372" r="54" fill="#fff1c9"/>
  <path d="M0 400l160-90 140 70 190-130 230 160 200-80 280 90v60H0z" fill="#3b4d63"/>
  <rect y="420" width="1200" height="220" fill="#41617c"/>
  <path d="M780 440h120M760 470h160M800 500h90M770 540h150" stroke="#f7d9a8" stroke-width="6" opacity=".6"/>
  <path d="M250 470h150l-24 40H280z" fill="#7a2f2f"/><path d="M322 330v140M326 340l74 118h-74zM316 360l-56 98h56z" fill="#f4ead8" stroke="#333"/>
  <path d="M1010 250h40l16 190h-72z" fill="#f4ead8"/><path d="M1004 310h52l4 46h-60z" fill="#b23a3a"/>
  <rect x="1010" y="222" width="40" height="28" fill="#ffe08a"/><path d="M1004 222l26-26 26 26z" fill="#333"/></svg>`
