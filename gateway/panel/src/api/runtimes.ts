import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

type JavaVersion = Schemas['Runtime']['javaVersion'];

const RUNTIMES = ['runtimes'];

export function runtimesQuery() {
  return queryOptions({ queryKey: RUNTIMES, queryFn: () => dataOf(api.GET('/runtimes')) });
}

export function useUpdateRuntime() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (javaVersion: JavaVersion) =>
      dataOf(api.POST('/runtimes/{javaVersion}/update', { params: { path: { javaVersion } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: RUNTIMES }),
  });
}

export function useRemoveRuntime() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (javaVersion: JavaVersion) =>
      api.DELETE('/runtimes/{javaVersion}', { params: { path: { javaVersion } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: RUNTIMES }),
  });
}
