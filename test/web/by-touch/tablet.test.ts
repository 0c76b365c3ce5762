import t from 'tap'
import { type Action, testActions } from '../support/actions/action.js'
import { wide } from '../support/actions/wide.js'
import { needsBrowser, phone } from '../support/browser.js'
import { touch } from '../support/hands.js'
import { until } from '../support/reading.js'

const tablet = { ...phone, viewport: { width: 1024, height: 768 } }

const pencil: Action = {
  name: 'the pencil beside the name of a topic is in sight, which a mouse would have to be over',
  at: '#channel/MILL/water',
  async act({ page }) {
    await page.locator('.title-edit').waitFor()
    await until(page, `getComputedStyle(document.querySelector('.title-edit')).opacity === '1'`)
  },
}

t.test('beside the list: every action by touch alone, on a tablet', needsBrowser, t =>
  testActions(t, { ...touch, options: tablet }, [pencil, ...wide]),
)
