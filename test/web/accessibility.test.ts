import t from 'tap'
import { testViews } from './support/accessible-views.js'
import { needsBrowser } from './support/browser.js'

t.test('axe-core finds nothing wrong on a wide screen', needsBrowser, t => testViews(t, {}, 'light and dark'))
