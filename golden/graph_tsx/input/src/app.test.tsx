import { render } from '@testing-library/react'
import { App } from './app'

test('it shows', () => {
  const page = render(<App />)
  page.getByText('shop')
})
