import t from 'tap'
import { rename, testActions } from '../support/actions/action.js'
import { needsBrowser, phone } from '../support/browser.js'
import { touch } from '../support/hands.js'
import { until } from '../support/reading.js'

const tablet = { ...phone, viewport: { width: 1024, height: 768 } }

t.test('a tablet shows what a mouse would have to be over', needsBrowser, t =>
  testActions(t, { ...touch, options: tablet }, [
    {
      ...rename,
      async act(scene) {
        await until(scene.page, `getComputedStyle(document.querySelector('.title-edit')).opacity === '1'`)
        await rename.act(scene)
      },
    },
  ]),
)
