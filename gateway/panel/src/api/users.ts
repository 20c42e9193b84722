import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './transport/client.ts';

const USERS = ['users'];

export function useUsers() {
  return useQuery({ queryKey: USERS, queryFn: () => dataOf(api.GET('/api/users')) });
}

export function useUserChanges() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: USERS });
  return {
    add: useMutation({
      mutationFn: (body: Schemas['CreateUser']) => dataOf(api.POST('/api/users', { body })),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ username, ...body }: Schemas['UpdateUser'] & { username: string }) =>
        dataOf(api.PATCH('/api/users/{username}', { params: { path: { username } }, body })),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (username: string) => api.DELETE('/api/users/{username}', { params: { path: { username } } }),
      onSettled,
    }),
  };
}
