import t from 'tap'
import { startServer } from '../support/server.js'
import { messageWith, needsBrowser, openWindow, phone, write } from './support/browser.js'
import { until } from './support/reading.js'
import { twoWindows } from './support/two-windows.js'

const samples = [
  'a **b** *c* ~~d~~ `e` [f](https://f.example)',
  '- one\n- two\n\n1. three',
  '```js\nconst a = "<b>"\n```',
  '> @**Mary Somerville** and @**all** in #**engine** :tada:',
  '```spoiler The end\nThey agree.\n```',
  '$$a^2$$ and <b onclick=x>raw</b>',
  '| a | b |\n|---|---|\n| 1 | 2 |',
]

t.test('writing', needsBrowser, async t => {
  const { browser, url, ada, hers } = await twoWindows(t)
  const { page, wrongs } = hers
  const box = page.locator('.composer-text')
  await page.getByText('the first one').waitFor()

  await t.test('keys format the selected text, and undo takes it back', async t => {
    await box.fill('some words')
    await box.press('ControlOrMeta+a')
    await box.press('ControlOrMeta+b')
    t.equal(await box.inputValue(), '**some words**')
    await box.press('ControlOrMeta+i')
    t.equal(await box.inputValue(), '***some words***')
    await box.press('ControlOrMeta+z')
    t.equal(await box.inputValue(), '**some words**')
    await box.press('ControlOrMeta+b')
    await box.press('ControlOrMeta+a')
    await box.press('ControlOrMeta+k')
    t.match(await box.inputValue(), '[some words](https://)')
    await box.fill('')
  })

  await t.test('a list goes on with each new line', async t => {
    await box.pressSequentially('1. one')
    await box.press('Shift+Enter')
    await box.pressSequentially('two')
    await box.press('Shift+Enter')
    await box.press('Shift+Enter')
    await box.pressSequentially('end')
    t.equal(await box.inputValue(), '1. one\n2. two\nend')
    await box.fill('')
  })

  await t.test('buttons format where the cursor is', async t => {
    await box.fill('word')
    await box.press('ControlOrMeta+a')
    const bar = page.locator('.composer').getByRole('toolbar', { name: 'Formatting' })
    await bar.getByLabel('Strikethrough').click()
    await bar.getByLabel('Quote').click()
    t.equal(await box.inputValue(), '> ~~word~~')
    await box.fill('')
  })

  await t.test('a mention says who will not see it, and who is away', async t => {
    const server = await startServer(t)
    const [mary, ada] = [
      await server.person({ full_name: 'Mary Somerville' }),
      await server.person({ full_name: 'Ada Away' }),
    ]
    await server.person({ full_name: 'Carol Outside' })
    const subscribe = (name: string, isPrivate: boolean) =>
      mary.ok('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [mary.id, ada.id],
        invite_only: isPrivate,
      })
    await subscribe('open', false)
    await subscribe('closed', true)
    const { page, wrongs } = await openWindow(browser, server.url, mary)
    const offer = (name: string) => page.locator('.offer', { hasText: name })
    const begin = async (channel: string, words: string) => {
      const { stream_id } = await mary.ok('GET', '/get_stream_id', { stream: channel })
      await page.evaluate(`location.hash = 'channel/${stream_id}/plans'`)
      await page.getByRole('heading', { level: 1, name: channel }).waitFor()
      await page.locator('.composer-text').fill('')
      await page.locator('.composer-text').pressSequentially(words)
    }
    await begin('open', '@carol')
    await offer('Carol Outside').getByText('not in this channel').waitFor()
    await begin('closed', '@carol')
    await offer('Carol Outside').getByText('cannot see this').waitFor()
    await begin('closed', '@ada')
    await offer('Ada Away').getByText('Away', { exact: true }).waitFor()
    t.notMatch(await offer('Ada Away').textContent(), 'cannot see')
    await mary.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'], principals: [ada.id] })
    await offer('Ada Away').getByText('cannot see this').waitFor()
    await page.evaluate(`location.hash = 'direct/${ada.id}'`)
    await page.getByRole('heading', { level: 1, name: 'Ada Away' }).waitFor()
    await page.locator('.composer-text').pressSequentially('@carol')
    await offer('Carol Outside').getByText('cannot see this').waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('commands are explained at the beginning of a message, and nowhere else', async t => {
    const offers = page.locator('.offer')
    await box.pressSequentially('/')
    await offers.filter({ hasText: '/poll' }).getByText('one option per line').waitFor()
    t.equal(await offers.count(), 3)
    await box.pressSequentially('to')
    await box.press('Enter')
    t.equal(await box.inputValue(), '/todo ')
    for (const text of ['see /', '/usr/', '/x', 'first\n/']) {
      await box.fill('/')
      await offers.first().waitFor()
      await box.fill(text)
      await offers.first().waitFor({ state: 'detached' })
    }
    await box.fill('')
  })

  await t.test('the preview of a quote is a quoted block', async t => {
    await box.fill('@_**Ada** said:\n```quote\nquoted words\n```\n\nan answer')
    await page.locator('.composer').getByRole('button', { name: 'Preview' }).click()
    await page.locator('.preview blockquote', { hasText: 'quoted words' }).waitFor()
    t.notMatch(await page.locator('.preview').textContent(), '```')
    await page.locator('.composer').getByRole('button', { name: 'Preview' }).click()
    await box.fill('')
  })

  await t.test('a pasted program becomes a block of code if the user wants it', async t => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await box.press('ControlOrMeta+v')
    }
    await paste('two lines\nof prose')
    t.equal(await box.inputValue(), 'two lines\nof prose')
    t.equal(await page.getByText('This looks like code').count(), 0)
    await box.fill('')
    await paste('if (a) {\n  b()\n}')
    await page.getByRole('button', { name: 'Make it a code block' }).click()
    t.equal(await box.inputValue(), '```\nif (a) {\n  b()\n}\n```')
    await box.press('ControlOrMeta+z')
    t.equal(await box.inputValue(), 'if (a) {\n  b()\n}')
    await box.fill('')
    await paste('a();\nb();')
    await page.getByText('This looks like code').waitFor()
    await box.pressSequentially('x')
    await page.getByText('This looks like code').waitFor({ state: 'detached' })
    await box.fill('')
  })

  await t.test('a text that is too long is counted and not sent', async t => {
    await box.fill('x'.repeat(9600))
    await page.getByText('400 left').waitFor()
    // Characters outside the basic plane count once, as on the server.
    await box.fill('😀'.repeat(10_001))
    await page.getByText('Too long by 1').waitFor()
    await box.press('Enter')
    await page.getByText('The message is too long by 1').waitFor()
    t.ok(await page.getByLabel('Send', { exact: true }).isDisabled())
    await box.fill('')
  })

  await t.test('the preview is the message', async t => {
    for (const sample of samples) {
      await box.fill(`  ${sample}\n`)
      await page.getByLabel('Preview', { exact: true }).click()
      const preview = page.locator('.preview[aria-busy="false"]')
      await preview.locator('*').first().waitFor({ state: 'attached' })
      const shown = await preview.innerHTML()
      await page.getByLabel('Send', { exact: true }).click()
      const sent = page.locator('.message:not(.unsent)').last().locator('.content')
      await page.locator('.unsent').waitFor({ state: 'detached' })
      t.equal(await sent.innerHTML(), shown, sample)
    }
  })

  await t.test('snippets are saved, changed, put in and deleted', async t => {
    await box.fill('kind regards')
    await page.getByLabel('Snippets', { exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Snippets' })
    await dialog.getByRole('button', { name: 'New snippet' }).click()
    t.equal(await dialog.getByLabel('Text').inputValue(), 'kind regards')
    await dialog.getByLabel('Title').fill('<img src=x onerror=hit()>')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByLabel('Change <img').click()
    await dialog.getByLabel('Text').fill('x'.repeat(10_001))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('too long by 1').waitFor()
    await dialog.getByLabel('Text').fill('Kind regards')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'onerror', exact: false }).first().click()
    await dialog.waitFor({ state: 'detached' })
    t.equal(await box.inputValue(), 'kind regardsKind regards')
    await page.getByLabel('Snippets', { exact: true }).click()
    await dialog.getByLabel('Delete <img').click()
    await dialog.getByText('No snippet yet').waitFor()
    await page.keyboard.press('Escape')
    await box.fill('')
    t.same((await ada.ok('GET', '/saved_snippets')).saved_snippets, [])
  })

  await t.test('an edited message shows its earlier versions', async () => {
    await write(page, 'first version')
    const message = messageWith(page, 'first version')
    await message.focus()
    await message.getByLabel('Edit', { exact: true }).click()
    const edit = page.getByLabel('Edit message')
    await edit.press('ControlOrMeta+a')
    await edit.press('ControlOrMeta+b')
    await edit.press('Enter')
    await page.locator('strong', { hasText: 'first version' }).waitFor()
    await messageWith(page, 'first version').getByRole('button', { name: 'edited' }).click()
    await page.getByRole('dialog', { name: 'About this message' }).getByText('first version').first().waitFor()
    await page.keyboard.press('Escape')
  })

  await t.test(
    'the box of an edit grows with its lines, outlasts scrolling, and asks before a change is lost',
    async t => {
      await write(page, 'a short line')
      const message = messageWith(page, 'a short line')
      await message.focus()
      await message.getByLabel('Edit', { exact: true }).click()
      const edit = page.getByLabel('Edit message')
      const height = async () => (await edit.boundingBox())?.height ?? 0
      const low = await height()
      await edit.fill('many words '.repeat(60))
      await until(page, `document.querySelector('.edit-box textarea').clientHeight > ${low * 2}`)
      const save = await page.locator('.edit-box').getByRole('button', { name: 'Save' }).boundingBox()
      const feed = await page.locator('.feed-scroll').boundingBox()
      t.ok(save && feed && save.y + save.height <= feed.y + feed.height + 1, 'its buttons are in sight')
      await edit.press('Escape')
      await page.getByRole('button', { name: 'Discard the change' }).waitFor()
      await page.keyboard.press('Escape')
      t.match(await edit.inputValue(), /^many words/)
      t.equal(await page.evaluate(`document.activeElement === document.querySelector('.edit-box textarea')`), true)
      await edit.press('Escape')
      await page.keyboard.press('Enter')
      await edit.waitFor({ state: 'detached' })
      await messageWith(page, 'a short line').waitFor()
    },
  )
  t.same(wrongs, [])

  await t.test('a finger formats on a narrow phone', async t => {
    const window = await openWindow(browser, url, ada, { ...phone, viewport: { width: 320, height: 640 } })
    await window.page.getByText('the first one').waitFor()
    await window.page.locator('.composer-text').fill('word')
    await window.page.locator('.composer-text').selectText()
    await window.page.getByLabel('Formatting').first().tap()
    await window.page.getByLabel('Bold').tap()
    t.equal(await window.page.locator('.composer-text').inputValue(), '**word**')
    t.equal(await window.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    t.same(window.wrongs, [])
  })
})
