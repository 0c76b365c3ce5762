import t from 'tap'
import { testViews } from './support/accessible-views.js'
import { needsBrowser, phone } from './support/browser.js'

t.test('axe-core finds nothing wrong on a phone', needsBrowser, t => testViews(t, phone, 'light'))
