// One job by the generated client; prints what the test compares.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"example.com/gateway/api"
	"github.com/google/uuid"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	team, group, topP := os.Getenv("TEAM"), os.Getenv("MODEL_GROUP"), 0.5
	authorize := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	})
	client := must(api.NewClientWithResponses(os.Getenv("BASE_URL"), authorize))
	call := api.CallRequest{
		ModelGroup: group,
		Messages:   []api.ChatMessage{{Role: api.ChatRoleUser, Content: "Hello"}},
		TopP:       &topP,
	}

	created := must(client.CreateJobWithResponse(ctx, nil, api.JobCreation{TeamId: team, JobType: "report"})).JSON200
	called := must(client.CallInJobWithResponse(ctx, created.JobId, nil, call)).JSON200
	end := api.JobCompletion{Status: api.JobCompletionStatusCompleted}
	completed := must(client.CompleteJobWithResponse(ctx, created.JobId, nil, end)).JSON200
	credits := must(client.GetTeamCreditsWithResponse(ctx, team, nil)).JSON200
	refused := must(client.CallInJobWithResponse(ctx, created.JobId, nil, call)).JSON409
	unknown := must(client.GetJobWithResponse(ctx, uuid.MustParse("00000000-0000-4000-8000-000000000000"), nil)).JSON404

	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created":       created.Status,
		"finish_reason": called.Response.FinishReason,
		"completed":     completed.Status,
		"calls":         completed.Costs.TotalCalls,
		"charged":       completed.Costs.CreditApplied,
		"credits":       credits.CreditsRemaining,
		"codes":         []api.ErrorCode{refused.Code, unknown.Code},
	})
}
