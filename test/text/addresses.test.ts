import t from 'tap'
import { addressesIn } from '../../server/text/rules/addresses.js'

const found = (text: string) => addressesIn(text).map(({ start, end }) => text.slice(start, end))

t.test('the punctuation of Chinese and Japanese stands outside of an address', async t => {
  t.same(found('（https://a.example/b）。'), ['https://a.example/b'])
  t.same(found('見https://a.example/b、https://c.example/d。次'), ['https://a.example/b', 'https://c.example/d'])
  t.same(found('「https://a.example」と『a.example/b』！'), ['https://a.example', 'a.example/b'])
  t.same(found('https://a.example：https://b.example？'), ['https://a.example', 'https://b.example'])
  t.same(found('https://a.example/城市（北京）の話'), ['https://a.example/城市（北京）の話'])
  t.same(found('（https://a.example/城市（北京））'), ['https://a.example/城市（北京）'])
})

t.test('a host of Chinese or Japanese letters is whole behind a scheme', async t => {
  t.same(found('https://www.例え.jp/ と https://日本語.jp'), ['https://www.例え.jp/', 'https://日本語.jp'])
  t.same(found('https://日本語.jpです。'), ['https://日本語.jp'])
  t.same(found('https://例子.中国/路径'), ['https://例子.中国/路径'])
  t.same(found('https://ドメイン名例.jp:8080/x'), ['https://ドメイン名例.jp:8080/x'])
  t.same(found('https://a.example中文 https://localhost中文'), ['https://a.example', 'https://localhost'])
  t.same(found('看看a.example中文 日本語.jp https://日本語'), ['a.example'])
})

t.test('what goes on behind the punctuation is no address', async t => {
  for (const text of [
    'https://a.example"x',
    'https://e.com<br>',
    '(https://e.com)x',
    'https://e.com*b*',
    'https://e.com/a"b',
    'e.com"x',
    'e.com<br>',
    'me@e.com"x',
    "https://e.com's",
    'https://e.com`x`',
    'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"x',
  ]) {
    t.same(found(text), [], text)
  }
  for (const text of ['https://e.com"!', '<https://e.com>.', '(https://e.com)\nx', 'https://e.com。x'])
    t.same(found(text), ['https://e.com'], text)
})

t.test('long runs of what may be an address take time in proportion', async t => {
  for (const text of ['https://', 'a.example)', 'https://日', 'https://a.example/（', '「', 'a.example"x'])
    t.type(addressesIn(text.repeat(20_000)).length, 'number')
})
