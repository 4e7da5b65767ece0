import { useState } from 'react'

export interface Counter {
  count: number
  increase(): void
}

export function useCounter(start: number): Counter {
  const [count, setCount] = useState(start)
  return { count, increase: () => setCount(count + 1) }
}
